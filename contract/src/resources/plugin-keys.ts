import { z } from 'zod';
import { defineRoute } from '../http/route.js';

/** Valid keys of one account. */
export const PLUGIN_KEYS_MAX = 10;

/** Chosen by the client, which sends it with every later call (`DEVICE_ID_HEADER`). */
const DeviceId = z.string().regex(/^[\x21-\x7e]{1,200}$/, { error: 'Must be 1 to 200 printable characters of ASCII' });

/** A valid key of an account, without its secret. */
export const PluginKey = z
  .object({
    id: z.uuid().describe('Id of the key.'),
    prefix: z.string().describe('The start of the key, by which its owner recognizes it.'),
    createdAt: z.iso.datetime().describe('When the key was created.'),
    lastUsedAt: z.iso
      .datetime()
      .nullable()
      .describe('When the key was last used, to the minute; null for a key never used.'),
    deviceId: z
      .string()
      .nullable()
      .describe('The device that the key is bound to; null for a key that every device and server may use.'),
  })
  .meta({ id: 'PluginKey' });
export type PluginKey = z.infer<typeof PluginKey>;

/** The only response that contains the key: it is stored as a hash. */
export const CreatedPluginKey = PluginKey.pick({ id: true, prefix: true, createdAt: true })
  .extend({
    key: z.string().describe('The key, shown only here: it is stored as a hash.'),
  })
  .meta({ id: 'CreatedPluginKey' });
export type CreatedPluginKey = z.infer<typeof CreatedPluginKey>;

/** Newest first, without revoked keys. */
export const PluginKeyList = z
  .object({
    data: z.array(PluginKey).describe('Valid keys, newest first.'),
    hasMore: z.boolean().describe('There are older keys: pass the last id as `starting_after`.'),
  })
  .meta({ id: 'PluginKeyList' });
export type PluginKeyList = z.infer<typeof PluginKeyList>;

/** Keys for the Photoshop plug-in and customers' servers. */
export const pluginKeyRoutes = {
  createPluginKey: defineRoute({
    method: 'POST',
    path: '/plugin-keys',
    tag: 'plugin-keys',
    summary: 'Create an API key',
    description: 'Creates a key for the Photoshop plug-in or a server. The key is shown only in this response.',
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
    summary: 'List API keys',
    description: 'Returns the valid keys of the account, newest first.',
    allow: 'account',
    query: z.object({
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .max(100)
        .default(20)
        .describe('Most keys of a page, 1 to 100. Default: 20.'),
      startingAfter: z.uuid().optional().describe('Id of a page’s last key, to get the next page.'),
    }),
    responses: { 200: PluginKeyList },
    errors: ['plugin_keys.not_found'],
    limit: 'reads',
  }),
  deletePluginKey: defineRoute({
    method: 'DELETE',
    path: '/plugin-keys/:keyId',
    tag: 'plugin-keys',
    summary: 'Revoke an API key',
    description: 'Ends the key at once and for good.',
    allow: 'account',
    params: z.object({ keyId: z.uuid().describe('Id of the key.') }),
    responses: { 204: null },
    errors: ['plugin_keys.not_found'],
    limit: 'writes',
  }),
  activatePluginKey: defineRoute({
    method: 'POST',
    path: '/plugin-keys/activate',
    tag: 'plugin-keys',
    summary: 'Bind this key to a device',
    description:
      'Binds the key of the request to a device for good: every other call then needs the same `X-Device-Id`. Idempotent.',
    allow: { key: 'media', anyDevice: true },
    body: z
      .object({
        deviceId: DeviceId.describe(
          'Id of the device, chosen by the client, which sends it in `X-Device-Id` from then on; 1 to 200 printable ASCII characters.',
        ),
      })
      .meta({ id: 'ActivatePluginKey' }),
    responses: { 200: PluginKey },
    errors: ['plugin_keys.device_mismatch'],
    limit: 'logins',
  }),
} as const;
