/** Where scripts send the forms of keys. */
export const KEYS_ADDRESS = '/account/plugin-key/keys';

export const REVOKE_ADDRESS = '/account/plugin-key/revoke';

export const EDIT_ADDRESS = '/account/plugin-key/edit';

const KEY_PARAMETER = 'keyId';

export const revokeAddress = (keyId: string): string =>
  `${REVOKE_ADDRESS}?${new URLSearchParams({ [KEY_PARAMETER]: keyId })}`;

export const editAddress = (keyId: string): string =>
  `${EDIT_ADDRESS}?${new URLSearchParams({ [KEY_PARAMETER]: keyId })}`;

export const keyIdIn = (query: URLSearchParams): string | null => query.get(KEY_PARAMETER);
