"""The authorization server: who may do what for whom, as OAuth 2.1 says it, without HTTP.

Each request runs in one transaction of the store, so that a code is exchanged, a token rotated or an
agent claimed exactly once. Authlib's core says what a request means; what is kept is said here.
"""
