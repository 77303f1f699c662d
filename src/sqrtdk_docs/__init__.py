"""What turns the lesson into the site. The lesson (`sqrtdk`) never imports it."""
