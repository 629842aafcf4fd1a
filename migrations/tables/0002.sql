-- What revision 0002 adds to the tables, for the audit; like the revision, never edited.

ALTER TABLE fortifications ADD COLUMN fell TEXT;
