"""Parses interface files with the varlink package's scanner. Usage: scan.py FILE…; says each one's methods."""

import sys

import varlink.scanner

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        interface = varlink.scanner.Interface(file.read())
    methods = [n for n, member in interface.members.items() if isinstance(member, varlink.scanner._Method)]
    print(" ".join([interface.name] + methods))
