/** Where scripts send the forms of keys. */
export const KEYS_ADDRESS = '/account/plugin-key/keys';

/** Page that asks for the confirmation of a revocation. */
export const REVOKE_ADDRESS = '/account/plugin-key/revoke';

const KEY_PARAMETER = 'keyId';

export const revokeAddress = (keyId: string): string =>
  `${REVOKE_ADDRESS}?${new URLSearchParams({ [KEY_PARAMETER]: keyId })}`;

/** The key that the page is for. */
export const keyIdIn = (query: URLSearchParams): string | null => query.get(KEY_PARAMETER);
