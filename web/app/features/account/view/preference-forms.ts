/** What the forms of the preferences ask for, in their field `change`. */
export type PreferenceChange = 'reminder' | 'forgetTools';

/** A field that only a script sends: it wants the account back instead of a page. */
export const BY_SCRIPT = 'byScript';
