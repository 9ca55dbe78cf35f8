"""Runs a program and writes down the largest memory it had, in MB.

peak.py FILE SECONDS PROGRAM ARGUMENTS…: exits with the program's code, 124 if it took too long, 128 + n if signal n ended it.
"""
import resource
import subprocess
import sys

path, seconds, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
child = subprocess.Popen(command)
try:
    code = child.wait(seconds)
except subprocess.TimeoutExpired:
    child.kill()
    child.wait()
    code = 124
with open(path, "w") as out:
    out.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024))
sys.exit(code if code >= 0 else 128 - code)
