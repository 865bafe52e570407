"""What the product does: one function per operation, a file per family; knows no HTTP and no argv."""
