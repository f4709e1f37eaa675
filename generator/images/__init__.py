"""The container images: definitions, building, checking. In: images/, locks/, verifier/. Out: local tags."""
