"""What is written by generate.py."""
