"""Enable Banking: banks of Europe, through an application of the person's own."""
