CREATE TABLE items (ItemNumber TEXT PRIMARY KEY, OrganizationCode TEXT NOT NULL, ItemStatusValue TEXT NOT NULL);
INSERT INTO items VALUES ('B-1', 'BENCH', 'Active'), ('B-2', 'BENCH', 'Active'), ('B-3', 'BENCH', 'Active');
