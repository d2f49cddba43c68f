"""The Parlour server: rules (`games`), the match (`match`), its log (`store`) and the hub that serves it all."""
