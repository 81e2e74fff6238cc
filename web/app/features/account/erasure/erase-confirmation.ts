/**
 * Whether a form means it: the account's e-mail address is written out, in whatever case; where there is none, the box
 * is checked.
 */
export function isConfirmed(email: string | null, fields: URLSearchParams): boolean {
  if (email === null) return fields.get('sure') === 'yes';
  return fields.get('email')?.trim().toLowerCase() === email.toLowerCase();
}
