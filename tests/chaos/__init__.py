"""`make chaos`: the real platform under load while everything around it fails; then a proof that nothing was lost."""
