import { extensionOf, IMAGE_CONTENT_TYPES, VIDEO_CONTENT_TYPES } from '@clearframe/contract';
import { ACCEPTED_FILES, BY_EXTENSION } from '../upload/file-types';

const icon = (side: number) => ({
  src: `/icon-${side}.png`,
  type: 'image/png',
  sizes: `${side}x${side}`,
  purpose: 'any maskable',
});

/**
 * Web app manifest. Files that are shared with the installed app on a phone are posted to the home page like those of its form; on
 * a computer it opens files, which the page takes from `launchQueue`.
 */
const MANIFEST = {
  id: '/',
  name: 'Clearframe',
  short_name: 'Clearframe',
  start_url: '/',
  display: 'minimal-ui',
  background_color: '#0a0c10',
  theme_color: '#0a0c10',
  icons: [icon(192), icon(512)],
  share_target: {
    action: '/?index',
    method: 'POST',
    enctype: 'multipart/form-data',
    params: { files: [{ name: 'file', accept: ACCEPTED_FILES.split(',') }] },
  },
  file_handlers: [{ action: '/', accept: extensionsByType() }],
  launch_handler: { client_mode: ['navigate-existing', 'auto'] },
};

function extensionsByType(): Readonly<Record<string, readonly string[]>> {
  const photos = IMAGE_CONTENT_TYPES.map((type) => {
    const extensions = [...BY_EXTENSION].filter(([, other]) => other === type);
    return [type, extensions.map(([extension]) => `.${extension}`)] as const;
  });
  const videos = VIDEO_CONTENT_TYPES.map((type) => [type, [`.${extensionOf(type)}`]] as const);
  return Object.fromEntries([...photos, ...videos]);
}

export function loader(): Response {
  return new Response(JSON.stringify(MANIFEST), {
    headers: { 'content-type': 'application/manifest+json', 'cache-control': 'public, max-age=3600' },
  });
}
