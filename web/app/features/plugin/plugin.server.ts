import { createHash } from 'node:crypto';
import built from 'virtual:photoshop-plugin';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { ccxOf } from '../../../../plugin/ccx.ts';
import { VERSION } from '../../../../plugin/manifest.ts';
import type { Settings } from '../../../server/config/settings.ts';
import { orNull, throwPageFor } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { settingsOf } from '../settings/settings.server';

export const PLUGIN_FILE = '/plugin/clearframe.ccx';

interface Packed {
  readonly version: string;
  readonly ccx: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
}

let packed: Packed | null = null;

/** For the origins of this server: permissions are fixed when a plug-in is installed. */
export function packedPlugin({ publicUrl, storageOrigin }: Settings): Packed {
  if (packed) return packed;
  const files = Object.fromEntries(
    Object.entries(built.files).map(([path, content]) => [path, new Uint8Array(Buffer.from(content, 'base64'))]),
  );
  const ccx = new Uint8Array(ccxOf({ ...built, files }, { url: publicUrl.origin, storage: storageOrigin }));
  packed = { version: VERSION, ccx, sha256: createHash('sha256').update(ccx).digest('hex') };
  return packed;
}

export async function loadPluginPage({ request, context }: LoaderFunctionArgs) {
  // Readable without the backend.
  const settings = await orNull(settingsOf(request, context), { request, context });
  if (settings && !settings.psPlugin) throwPageFor('request.not_found', context);
  const t = await translatorFor(request, 'plugin');
  const { publicUrl, storageOrigin } = context.settings;
  const { version, ccx } = packedPlugin(context.settings);
  return {
    plugin: {
      version,
      kilobytes: Math.ceil(ccx.length / 1000),
      url: PLUGIN_FILE,
      hosts: [publicUrl, ...(storageOrigin ? [new URL(storageOrigin)] : [])].map(({ host }) => host),
    },
    title: t('page.title'),
    description: t('page.lead'),
  };
}
