"""OFX and QFX, versions 1 (SGML) and 2 (XML)."""
