import { z } from 'zod';
import { defineRoute } from '../http/route.js';

/** Valid keys of one account. */
export const PLUGIN_KEYS_MAX = 10;

/** Chosen by the client, which sends it with every later call (`DEVICE_ID_HEADER`). */
const DeviceId = z.string().regex(/^[\x21-\x7e]{1,200}$/, { error: 'Must be 1 to 200 printable characters of ASCII' });

/** A valid key of an account, without its secret. */
export const PluginKey = z
  .object({
    id: z.uuid(),
    /** The start of the key, by which its owner recognizes it: `cfk_` and eight characters. */
    prefix: z.string(),
    createdAt: z.iso.datetime(),
    /** Rounded to the minute; null for a key never used. */
    lastUsedAt: z.iso.datetime().nullable(),
    /** Null for a key without a device, which every device and server may use. */
    deviceId: z.string().nullable(),
  })
  .meta({ id: 'PluginKey' });
export type PluginKey = z.infer<typeof PluginKey>;

/** The only response that contains the key: it is stored as a hash. */
export const CreatedPluginKey = PluginKey.pick({ id: true, prefix: true, createdAt: true })
  .extend({
    /** `cfk_` and 43 characters: 256 random bits in base64url. */
    key: z.string(),
  })
  .meta({ id: 'CreatedPluginKey' });
export type CreatedPluginKey = z.infer<typeof CreatedPluginKey>;

/** Newest first, without revoked keys. */
export const PluginKeyList = z.object({ data: z.array(PluginKey), hasMore: z.boolean() }).meta({ id: 'PluginKeyList' });
export type PluginKeyList = z.infer<typeof PluginKeyList>;

/** Keys for the Photoshop plug-in and customers' servers. */
export const pluginKeyRoutes = {
  createPluginKey: defineRoute({
    method: 'POST',
    path: '/plugin-keys',
    tag: 'plugin-keys',
    summary: 'Create a key for the Photoshop plug-in or a server; the key is shown only once',
    allow: 'account',
    responses: { 201: CreatedPluginKey },
    /** `details` of `plugin_keys.limit_reached` are `{limit}`. */
    errors: ['plugin_keys.not_in_plan', 'plugin_keys.limit_reached', 'billing.not_offered'],
    limit: 'writes',
    idempotent: true,
  }),
  listPluginKeys: defineRoute({
    method: 'GET',
    path: '/plugin-keys',
    tag: 'plugin-keys',
    summary: "List the account's valid keys, newest first",
    allow: 'account',
    query: z.object({
      limit: z.coerce.number().int().min(1).max(100).default(20),
      /** Id of a page's last key, to get the next page. */
      startingAfter: z.uuid().optional(),
    }),
    responses: { 200: PluginKeyList },
    errors: ['plugin_keys.not_found'],
    limit: 'reads',
  }),
  deletePluginKey: defineRoute({
    method: 'DELETE',
    path: '/plugin-keys/:keyId',
    tag: 'plugin-keys',
    summary: 'Revoke a key permanently',
    allow: 'account',
    params: z.object({ keyId: z.uuid() }),
    responses: { 204: null },
    errors: ['plugin_keys.not_found'],
    limit: 'writes',
  }),
  activatePluginKey: defineRoute({
    method: 'POST',
    path: '/plugin-keys/activate',
    tag: 'plugin-keys',
    summary: 'Bind this key to a device permanently; idempotent',
    allow: { key: 'media', anyDevice: true },
    body: z.object({ deviceId: DeviceId }).meta({ id: 'ActivatePluginKey' }),
    responses: { 200: PluginKey },
    errors: ['plugin_keys.device_mismatch'],
    limit: 'logins',
  }),
} as const;
