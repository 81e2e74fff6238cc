import { Ajv } from 'ajv';
import { strFromU8, unzipSync } from 'fflate';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Built, buildPlugin } from '../build.ts';
import { ccxOf } from '../ccx.ts';
import { MANIFEST_SCHEMA } from './manifest-schema.ts';

const ORIGINS = { url: 'https://photos.example.org', storage: 'https://bucket.s3.example.org' };
let built: Built;
beforeAll(async () => {
  built = await buildPlugin();
});
const filesOf = (ccx: Uint8Array) => unzipSync(ccx);
const manifestOf = (ccx: Uint8Array) => JSON.parse(strFromU8(filesOf(ccx)['manifest.json'] ?? new Uint8Array()));

/** What UXP lacks, as the design of the plug-in lists it. */
const LACKING = [
  'createImageBitmap',
  'CompressionStream',
  'OffscreenCanvas',
  'XMLHttpRequest',
  'localStorage',
  'new Worker',
  'eval(',
  'new Function',
  'import(',
  'toSorted',
  'structuredClone',
  'dragover',
  'DataTransfer',
  '<label',
  'htmlFor',
  'type:"file"',
  'type:"password"',
  'checkValidity',
];

describe('the packed plug-in', () => {
  it('is the same each time, small, and has its manifest at the root', async () => {
    const ccx = ccxOf(built, ORIGINS);
    const again = ccxOf(await buildPlugin(), ORIGINS);
    expect(Buffer.compare(ccx, again)).toBe(0);
    expect(ccx.length).toBeLessThan(300_000);
    const { main, icons, entrypoints } = manifestOf(ccx);
    const files = Object.keys(filesOf(ccx));
    const iconFiles = [...icons, ...entrypoints.flatMap(({ icons: own = [] }) => own)].flatMap(
      ({ path, scale }: { path: string; scale: number[] }) => scale.map((one) => path.replace('.png', `@${one}x.png`)),
    );
    for (const file of [main, ...iconFiles]) expect(files).toContain(file);
  });

  it('may reach exactly the origins of its server', () => {
    const permissions = (origins: Parameters<typeof ccxOf>[1]) => manifestOf(ccxOf(built, origins)).requiredPermissions;
    expect(permissions(ORIGINS)).toEqual({
      network: { domains: [ORIGINS.url, ORIGINS.storage] },
      localFileSystem: 'request',
      launchProcess: { schemes: ['https'], extensions: [] },
      enableUserInfo: true,
    });
    expect(permissions({ url: ORIGINS.url, storage: null }).network.domains).toEqual([ORIGINS.url]);
    const config = filesOf(ccxOf(built, ORIGINS))['config.js'];
    expect(strFromU8(config ?? new Uint8Array())).toContain('"https://photos.example.org"');
  });

  it('has a manifest as Adobe describes it, for every server', () => {
    const isValid = new Ajv({ allErrors: true }).compile(MANIFEST_SCHEMA);
    const servers = [ORIGINS, { url: ORIGINS.url, storage: null }, { url: 'http://localhost:3000', storage: null }];
    for (const origins of servers) {
      isValid(manifestOf(ccxOf(built, origins)));
      expect(isValid.errors, origins.url).toBeNull();
    }
    // The check itself fails for what Photoshop would refuse or ignore.
    const manifest = manifestOf(ccxOf(built, ORIGINS));
    const [panel, ...commands] = manifest.entrypoints;
    const { label: _, ...nameless } = panel;
    for (const wrong of [
      { manifestVersion: 4 },
      { version: '1.0' },
      { permissions: {} },
      { entrypoints: [nameless, ...commands] },
      { entrypoints: [{ ...panel, label: { default: 'Clearframe', pt_BR: 'Clearframe' } }] },
      { requiredPermissions: { network: { domains: ['https://photos.example.org/api'] } } },
    ])
      expect(isValid({ ...manifest, ...wrong }), JSON.stringify(wrong)).toBe(false);
  });

  it('has the manifest that Photoshop asks for, with recordable commands in the languages', () => {
    const { manifestVersion, id, version, host, entrypoints } = manifestOf(ccxOf(built, ORIGINS));
    expect([manifestVersion, id, version]).toEqual([
      5,
      'app.clearframe.photoshop',
      expect.stringMatching(/^\d+\.\d+\.\d+$/),
    ]);
    expect(host).toEqual({
      app: 'PS',
      minVersion: '25.1.0',
      data: { apiVersion: 2, loadEvent: 'use', enableMenuRecording: true },
    });
    const [panel, ...commands] = entrypoints;
    expect(panel).toMatchObject({ type: 'panel', id: 'main', minimumSize: { width: 230, height: 200 } });
    expect(
      commands.map(({ type, id: command, label }: { type: string; id: string; label: object }) => [
        type,
        command,
        label,
      ]),
    ).toEqual([
      ['command', 'faces', expect.objectContaining({ default: 'Restore faces', de: 'Gesichter wiederherstellen' })],
      [
        'command',
        'cleanUp',
        expect.objectContaining({ default: 'Clean up', pt: expect.any(String), es: expect.any(String) }),
      ],
      ['command', 'last', expect.objectContaining({ default: 'Enhance with last tools' })],
      ['command', 'folder', expect.objectContaining({ default: 'Enhance last folder' })],
    ]);
  });

  it('uses nothing that UXP lacks', () => {
    const script = strFromU8(built.files['index.js'] ?? new Uint8Array());
    for (const name of LACKING) expect(script.includes(name), name).toBe(false);
    const style = strFromU8(built.files['style.css'] ?? new Uint8Array()).replaceAll(/\/\*[\s\S]*?\*\//g, '');
    expect(style).not.toMatch(/display:\s*grid|transition|animation|text-transform|\bfont:|light-dark|oklch/);
  });

  it('has icons of their sizes', async () => {
    for (const [path, size] of [
      ['icons/panel-dark@1x.png', 23],
      ['icons/panel-light@2x.png', 46],
      ['icons/plugin-dark@2x.png', 48],
    ] as const) {
      const { width, height, hasAlpha } = await sharp(built.files[path]).metadata();
      expect([width, height, hasAlpha]).toEqual([size, size, true]);
    }
  });
});
