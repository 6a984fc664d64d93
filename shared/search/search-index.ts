/**
 * The version of the search index. If a part is added to the index of a record type, increase this version, and declare the
 * use of the field with `since` and the new version. A part that was removed is added again with a new version. An account
 * stores the version that its index contains (`indexedAdditions`). The schedule `work-queue-sweep` builds later parts after a
 * deployment. Until then, lists do not use these parts.
 */
export const searchIndex = { version: 0 };
