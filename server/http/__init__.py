"""What the hub serves over plain HTTP, thin over the same service as the sockets."""
