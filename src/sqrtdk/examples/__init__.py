"""The small programs that the pages show, one file each. A page takes the sections it names."""
