"""Files that people upload, read outside the web process.

`reader.read` starts `program` as a process of its own, hands it the file and takes back plain data. That process has
hard limits on time, memory and the size of its answer, so that no file can hold up the site. `program` knows no Django:
it starts in about ten milliseconds and finds no secret in its environment.
"""
