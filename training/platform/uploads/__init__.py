"""Uploaded files, read outside the web process.

`reader.read` starts `program` as a separate process, sends it the file and receives plain data. The process has hard
limits on time, memory and output, so that no file can block the site. `program` does not import Django: it starts in
about ten milliseconds and has no secrets in its environment.
"""
