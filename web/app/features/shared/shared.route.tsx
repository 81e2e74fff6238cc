import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { loadShared } from './shared.server';
import { SharedPhoto } from './shared-photo';
import { SharedVideo } from './shared-video';

export const handle = { i18n: ['result'], describesItself: true };
export const loader = loadShared;
export { pageHeaders as headers } from '../../http/page-headers';

/** The URL gives access to a photo, so it is hidden from other sites. */
export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => {
  if (!loaded) return [];
  const { title, description, url, picture } = loaded.preview;
  return [
    { title },
    { name: 'description', content: description },
    { name: 'robots', content: 'noindex, noarchive' },
    { name: 'referrer', content: 'same-origin' },
    { property: 'og:type', content: 'website' },
    { property: 'og:url', content: url },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:image', content: picture.url },
    { property: 'og:image:width', content: String(picture.width) },
    { property: 'og:image:height', content: String(picture.height) },
    { property: 'og:image:alt', content: title },
    { name: 'twitter:card', content: 'summary_large_image' },
    { name: 'twitter:title', content: title },
    { name: 'twitter:description', content: description },
    { name: 'twitter:image', content: picture.url },
  ];
};

export default function SharedPage() {
  const { shared } = useLoaderData<typeof loader>();
  const Shared = shared.mediaType === 'video' ? SharedVideo : SharedPhoto;
  return <Shared key={shared.sharingId} shared={shared} />;
}
