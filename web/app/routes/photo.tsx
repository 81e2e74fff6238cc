import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Photo, type PhotoProps } from '../features/tasks/photo/photo';
import { loadPhoto } from '../features/tasks/photo/photo.server';

export const handle = {
  i18n: ['result'],
  showsDeletionDate: true,
  refreshesWithoutScript: (loaded: { readonly photo: PhotoProps['photo'] } | undefined) => loaded?.photo.file === null,
};
export const loader = loadPhoto;
export { pageHeaders as headers } from '../http/page-headers';

/** The URL is a credential, hidden from other sites. 'no-referrer' would fail our own same-origin check of forms. */
export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex, noarchive' },
  { name: 'referrer', content: 'same-origin' },
];

export default function PhotoPage() {
  const { photo } = useLoaderData<typeof loader>();
  return <Photo photo={photo} />;
}
