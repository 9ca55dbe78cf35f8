"""BLAKE3 in plain Python: hash(data) and derive(context, data), 32 bytes. Slow, but without any library."""
import struct

IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
ORDER = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
START, END, PARENT, ROOT, CONTEXT, MATERIAL = 1, 2, 4, 8, 32, 64
M = 0xFFFFFFFF
LANES = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
         (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))


def compress(cv, block, counter, size, flags):
    v = list(cv) + list(IV[:4]) + [counter & M, counter >> 32 & M, size, flags]
    m = list(struct.unpack("<16I", block))
    for _ in range(7):
        for i, (a, b, c, d) in enumerate(LANES):
            va, vb, vc, vd = v[a], v[b], v[c], v[d]
            va = (va + vb + m[2 * i]) & M
            vd ^= va
            vd = (vd >> 16 | vd << 16) & M
            vc = (vc + vd) & M
            vb ^= vc
            vb = (vb >> 12 | vb << 20) & M
            va = (va + vb + m[2 * i + 1]) & M
            vd ^= va
            vd = (vd >> 8 | vd << 24) & M
            vc = (vc + vd) & M
            vb ^= vc
            vb = (vb >> 7 | vb << 25) & M
            v[a], v[b], v[c], v[d] = va, vb, vc, vd
        m = [m[i] for i in ORDER]
    return [v[i] ^ v[i + 8] for i in range(8)]


def chunk(data, key, counter, flags, root):
    blocks = [data[i:i + 64] for i in range(0, len(data), 64)] or [b""]
    cv = key
    for i, block in enumerate(blocks):
        last = i == len(blocks) - 1
        f = flags | (START if i == 0 else 0) | (END if last else 0) | (ROOT if last and root else 0)
        cv = compress(cv, block.ljust(64, b"\0"), counter, len(block), f)
    return cv


def tree(data, key, flags, counter=0, root=True):
    if len(data) <= 1024:
        return chunk(data, key, counter, flags, root)
    chunks = (len(data) - 1) // 1024
    left = 1 << (chunks.bit_length() - 1)
    one = tree(data[:left * 1024], key, flags, counter, False)
    two = tree(data[left * 1024:], key, flags, counter + left, False)
    return compress(key, struct.pack("<16I", *one, *two), 0, 64, flags | PARENT | (ROOT if root else 0))


def hash(data):
    return struct.pack("<8I", *tree(data, IV, 0))


def derive(context, data):
    return struct.pack("<8I", *tree(data, tree(context.encode(), IV, CONTEXT), MATERIAL))


assert hash(b"").hex() == "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"
