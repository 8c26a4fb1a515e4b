"""Sprint: reflexes against a clock that the server keeps."""
