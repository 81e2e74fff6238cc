import { z } from 'zod';
import { KEY_SCOPES, KeyScope } from '../http/access.js';
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

/** Greatest limits that an owner can choose for a key. */
export const KEY_LIMITS_MAX = { perMinute: 10_000, perMonth: 10_000_000 } as const;

const KeyName = z.string().trim().min(1).max(100);
const ExpiresAt = z.iso.datetime({ offset: true });
const PerMinute = z.int().min(1).max(KEY_LIMITS_MAX.perMinute).nullable();
const PerMonth = z.int().min(1).max(KEY_LIMITS_MAX.perMonth).nullable();

/** What the owner allows a key within the limits of the account. */
export const KeyLimits = z
  .object({
    perMinute: PerMinute.describe('Most requests a minute; null: no limit of its own.'),
    perMonth: PerMonth.describe('Most pictures and videos started in a month (UTC); null: no limit of its own.'),
  })
  .meta({ id: 'KeyLimits' });
export type KeyLimits = z.infer<typeof KeyLimits>;

/** Chosen by the client, which sends it with every later call (`DEVICE_ID_HEADER`). */
const DeviceId = z.string().regex(/^[\x21-\x7e]{1,200}$/, { error: 'Must be 1 to 200 printable characters of ASCII' });

/** A valid key of an account, without its secret. */
export const PluginKey = z
  .object({
    id: z.uuid().describe('Id of the key.'),
    isTest: IsTest,
    name: KeyName.nullable().describe('What its owner calls it; null without a name.'),
    scopes: z.array(KeyScope).describe('What the key may do.'),
    expiresAt: z.iso.datetime().nullable().describe('When it stops to be valid; null: never.'),
    limits: KeyLimits.describe('What its owner allows it.'),
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
    lastUsedIp: z
      .string()
      .nullable()
      .describe('IP address of that use; null for a key never used, and 90 days after its last use.'),
    deviceId: z
      .string()
      .nullable()
      .describe('The device that the key is bound to; null for a key that every device and server may use.'),
  })
  .meta({ id: 'PluginKey' });
export type PluginKey = z.infer<typeof PluginKey>;

/** The only response that contains the key: it is stored as a hash. */
export const CreatedPluginKey = PluginKey.extend({
  key: z.string().describe('The key, shown only here: it is stored as a hash. 256 random bits after its prefix.'),
}).meta({ id: 'CreatedPluginKey' });
export type CreatedPluginKey = z.infer<typeof CreatedPluginKey>;

/** Newest first, without revoked keys. */
export const PluginKeyList = z
  .object({
    data: z.array(PluginKey).describe('Valid keys, newest first.'),
    hasMore: z.boolean().describe('There are older keys: pass the last id as `starting_after`.'),
  })
  .meta({ id: 'PluginKeyList' });
export type PluginKeyList = z.infer<typeof PluginKeyList>;

const END_OF_TIME = Date.UTC(3000, 0);
/** One in the past has a code of its own. */
const NewExpiry = ExpiresAt.refine((time) => Date.parse(time) < END_OF_TIME, {
  error: 'Must be before the year 3000',
}).nullable();

const NewScopes = z
  .array(KeyScope)
  .min(1)
  .transform((scopes) => KEY_SCOPES.filter((scope) => scopes.includes(scope)))
  .optional();

/** A new key. */
export const CreatePluginKey = z
  .object({
    isTest: IsTest.default(false),
    name: KeyName.nullable().default(null).describe('A name for lists, at most 100 characters. Absent: none.'),
    scopes: NewScopes.describe('What the key may do. Absent: everything; a test key has no `videos`.'),
    expiresAt: NewExpiry.default(null).describe('When it stops to be valid, in the future. Absent: never.'),
    limits: z
      .object({
        perMinute: PerMinute.default(null).describe('Most requests a minute. Absent: no limit of its own.'),
        perMonth: PerMonth.default(null).describe(
          'Most pictures and videos started in a month (UTC). Absent: no limit of its own.',
        ),
      })
      .prefault({})
      .describe('What the key is allowed within the limits of the account.'),
  })
  .meta({ id: 'CreatePluginKey' });
export type CreatePluginKey = z.infer<typeof CreatePluginKey>;

/** The whole choice; only scopes may be left out. */
export const UpdatePluginKey = z
  .object({
    name: KeyName.nullable().describe('A name for lists, at most 100 characters; null: none.'),
    scopes: NewScopes.describe('What the key may do; a test key has no `videos`. Absent: as before.'),
    expiresAt: NewExpiry.describe('When it stops to be valid, in the future; null: never.'),
    limits: KeyLimits.describe('What the key is allowed within the limits of the account.'),
  })
  .meta({ id: 'UpdatePluginKey' });
export type UpdatePluginKey = z.infer<typeof UpdatePluginKey>;

const keyParams = z.object({ keyId: z.uuid().describe('Id of the key.') });

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
    body: CreatePluginKey,
    responses: { 201: CreatedPluginKey },
    /** `details` of `plugin_keys.limit_reached` are `{limit}`. */
    errors: [
      'plugin_keys.not_in_plan',
      'plugin_keys.limit_reached',
      'plugin_keys.live_required',
      'plugin_keys.end_in_past',
      'billing.not_offered',
    ],
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
  updatePluginKey: defineRoute({
    method: 'PUT',
    path: '/plugin-keys/:keyId',
    tag: 'plugin-keys',
    summary: 'Change an API key',
    description:
      'Changes name, scopes, end and limits of a key, from its next request on. An expired key can be extended.',
    allow: 'account',
    params: keyParams,
    body: UpdatePluginKey,
    responses: { 200: PluginKey },
    errors: ['plugin_keys.not_found', 'plugin_keys.live_required', 'plugin_keys.end_in_past'],
    limit: 'writes',
  }),
  deletePluginKey: defineRoute({
    method: 'DELETE',
    path: '/plugin-keys/:keyId',
    tag: 'plugin-keys',
    summary: 'Revoke an API key',
    description: 'Ends the key at once and for good.',
    allow: 'account',
    params: keyParams,
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
