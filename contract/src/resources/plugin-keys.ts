import { z } from 'zod';
import { KeyScope } from '../http/access.js';
import { defineRoute } from '../http/route.js';

/**
 * `live`: for the plan of its owner, who needs Business. `test`: for every account, free of charge; it reaches only the
 * pictures that test keys made, and may use every tool on {@link TEST_PICTURES_PER_DAY} pictures a day.
 */
export const KEY_KINDS = ['live', 'test'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];
const IsTest = z
  .boolean()
  .describe('A test key: free, with a watermark, and apart from the pictures of live keys. Others need Business.');

/** Errors of every route that starts work which counts as usage of a key. */
export const USAGE_ERRORS = ['plugin_keys.test_exhausted', 'plugin_keys.month_exhausted'] as const;

/** Valid keys of one account. */
export const PLUGIN_KEYS_MAX = 10;

/** Chosen by the client, which sends it with every later call (`DEVICE_ID_HEADER`). */
const DeviceId = z.string().regex(/^[\x21-\x7e]{1,200}$/, { error: 'Must be 1 to 200 printable characters of ASCII' });

/** A valid key of an account, without its secret. */
export const PluginKey = z
  .object({
    id: z.uuid().describe('Id of the key.'),
    isTest: IsTest,
    scopes: z.array(KeyScope).describe('What the key may do.'),
    prefix: z
      .string()
      .describe(
        'The start of the key, by which its owner recognizes it: `cfk_live_` or `cfk_test_` and eight characters.',
      )
      .meta({ examples: ['cfk_live_a1B2c3D4'] }),
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
export const CreatedPluginKey = PluginKey.pick({ id: true, isTest: true, scopes: true, prefix: true, createdAt: true })
  .extend({
    key: z.string().describe('The key, shown only here: it is stored as a hash. 256 random bits after its prefix.'),
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
    description:
      'Creates a live or a test key for a server or the Photoshop plug-in. The key is shown only in this response.',
    allow: 'account',
    body: z.object({ isTest: IsTest.default(false) }).meta({ id: 'CreatePluginKey' }),
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
    allow: { key: 'any', anyDevice: true },
    body: z
      .object({
        deviceId: DeviceId.describe(
          'Id of the device, chosen by the client, which sends it in `X-Device-Id` from then on; 1 to 200 printable ASCII characters.',
        ).meta({ examples: ['studio-mac'] }),
      })
      .meta({ id: 'ActivatePluginKey' }),
    responses: { 200: PluginKey },
    errors: ['plugin_keys.device_mismatch'],
    limit: 'logins',
  }),
} as const;
