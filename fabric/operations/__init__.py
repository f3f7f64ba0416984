"""What an operator asks of a site whose devices run: observe, plan, apply, roll back, find drift, verify."""
