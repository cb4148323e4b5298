"""Says of boxes of a PNG how many colours they have and how much of them is not the background: picture.py FILE SCALE JSON"""
import json
import struct
import sys
import zlib


def read(path):
    """The rows of pixels of a PNG of eight bits without interlace, and the bytes of a pixel."""
    data = open(path, "rb").read()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise SystemExit(f"{path}: no PNG")
    place, packed = 8, b""
    while place < len(data):
        length, kind = struct.unpack(">I4s", data[place:place + 8])
        body = data[place + 8:place + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        place += 12 + length
    if depth != 8 or colour not in (2, 6) or interlace:
        raise SystemExit(f"{path}: eight bits of RGB or RGBA without interlace would be right")
    size = 3 if colour == 2 else 4
    raw, stride, rows, above = zlib.decompress(packed), width * size, [], bytearray(width * size)
    for number in range(height):
        start = number * (stride + 1)
        filtering, row = raw[start], bytearray(raw[start + 1:start + 1 + stride])
        for i in range(stride) if filtering else ():
            left = row[i - size] if i >= size else 0
            up, corner = above[i], above[i - size] if i >= size else 0
            if filtering == 1:
                guess = left
            elif filtering == 2:
                guess = up
            elif filtering == 3:
                guess = (left + up) // 2
            else:
                rise = left + up - corner
                near = (abs(rise - left), abs(rise - up), abs(rise - corner))
                guess = left if near[0] <= near[1] and near[0] <= near[2] else up if near[1] <= near[2] else corner
            row[i] = (row[i] + guess) & 255
        rows.append(row)
        above = row
    return rows, size, width, height


rows, size, width, height = read(sys.argv[1])
scale = float(sys.argv[2])
background = tuple(rows[1][size:size + 3])
answers = []
for left, top, wide, high in json.loads(sys.argv[3]):
    colours, other, total = set(), 0, 0
    for y in range(int(top * scale), min(height, int((top + high) * scale))):
        row = rows[y]
        for x in range(int(left * scale), min(width, int((left + wide) * scale))):
            pixel = tuple(row[x * size:x * size + 3])
            total += 1
            if max(abs(a - b) for a, b in zip(pixel, background)) > 24:
                other += 1
                colours.add(pixel)
    answers.append({"colours": len(colours), "share": other / max(1, total), "pixels": total})
print(json.dumps({"width": width, "height": height, "background": background, "boxes": answers}))
