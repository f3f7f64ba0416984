"""Where hosts are in the fabric, for what places jobs and what simulates them: Kubernetes, Kueue, Topograph, SimAI."""
