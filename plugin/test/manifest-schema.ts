const text = { type: 'string', minLength: 1 } as const;
const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const listOf = (items: object) => ({ type: 'array', items, minItems: 1, uniqueItems: true });

/** In one language, or by language with a default. */
const label = {
  oneOf: [text, { ...object({ default: text }, ['default']), patternProperties: { '^[a-z]{2}$': text } }],
};
const pixels = { type: 'integer', minimum: 1 } as const;
const size = object({ width: pixels, height: pixels }, ['width', 'height']);

/** @param side in pixels, at a scale of 1 */
const iconsOf = (side: number, species: readonly string[]) =>
  listOf(
    object(
      {
        width: { const: side },
        height: { const: side },
        // The files have `@1x` and `@2x` before the extension, the manifest has neither.
        path: { type: 'string', pattern: '^[\\w/-]+\\.(png|jpe?g|svg)$' },
        scale: listOf({ enum: [1, 2] }),
        theme: listOf({ enum: ['lightest', 'light', 'medium', 'dark', 'darkest', 'all'] }),
        species: listOf({ enum: species }),
      },
      ['width', 'height', 'path', 'scale'],
    ),
  );

const panel = object(
  {
    type: { const: 'panel' },
    id: text,
    label,
    minimumSize: size,
    maximumSize: size,
    preferredDockedSize: size,
    preferredFloatingSize: size,
    icons: iconsOf(23, ['toolbar', 'generic']),
  },
  ['type', 'id', 'label', 'icons'],
);
const command = object({ type: { const: 'command' }, id: text, label }, ['type', 'id', 'label']);

/** Without paths, which never match, and without wildcards. */
const origin = { type: 'string', pattern: '^https?://[a-z0-9.-]+(:\\d+)?$' };

/** What Adobe's reference of manifest v5 allows for a plug-in of Photoshop, without what Adobe reserves for itself. */
export const MANIFEST_SCHEMA = object(
  {
    manifestVersion: { const: 5 },
    id: { type: 'string', pattern: '^[\\w.-]+$' },
    name: { type: 'string', minLength: 3, maxLength: 45 },
    version: { type: 'string', pattern: '^\\d{1,2}\\.\\d{1,2}\\.\\d{1,2}$' },
    main: { type: 'string', pattern: '\\.(html|js)$' },
    host: object(
      {
        app: { const: 'PS' },
        minVersion: { type: 'string', pattern: '^\\d+\\.\\d+(\\.\\d+)?$' },
        maxVersion: { type: 'string', pattern: '^\\d+\\.\\d+(\\.\\d+)?$' },
        data: object({
          apiVersion: { const: 2 },
          loadEvent: { enum: ['startup', 'use'] },
          enableMenuRecording: { type: 'boolean' },
        }),
      },
      ['app', 'minVersion'],
    ),
    entrypoints: listOf({ oneOf: [panel, command] }),
    icons: iconsOf(24, ['pluginList', 'generic']),
    featureFlags: { type: 'object', additionalProperties: { type: 'boolean' } },
    requiredPermissions: object({
      network: object({ domains: { oneOf: [{ const: 'all' }, listOf(origin)] } }, ['domains']),
      localFileSystem: { enum: ['plugin', 'request', 'fullAccess'] },
      launchProcess: object({
        schemes: listOf({ type: 'string', pattern: '^[0-9a-zA-Z]+$' }),
        extensions: { type: 'array', items: { type: 'string' } },
      }),
      clipboard: { enum: ['read', 'readAndWrite'] },
      fonts: { const: 'readInstalled' },
      enableUserInfo: { type: 'boolean' },
      allowCodeGenerationFromStrings: { type: 'boolean' },
    }),
  },
  ['manifestVersion', 'id', 'name', 'version', 'main', 'host', 'entrypoints', 'icons', 'requiredPermissions'],
);
