"""What a bundle promises, and how it is opened, verified and published. The only room that the server imports."""
