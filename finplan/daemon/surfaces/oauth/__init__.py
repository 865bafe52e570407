"""What programs ask of the authorization server over HTTP; what people are shown of it is in `site/`."""
