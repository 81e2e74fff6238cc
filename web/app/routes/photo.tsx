import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Photo } from '../features/tasks/photo/photo';
import { loadPhoto } from '../features/tasks/photo/photo.server';

export const handle = { i18n: ['result'], isAboutOnePicture: true };
export const loader = loadPhoto;
export { pageHeaders as headers } from '../http/page-headers';

/** The address is a credential: no other site is told it. 'no-referrer' would make our own forms look foreign. */
export const meta: MetaFunction<typeof loader> = ({ data: loaded }) => [
  { title: loaded?.title },
  { name: 'robots', content: 'noindex, noarchive' },
  { name: 'referrer', content: 'same-origin' },
];

export default function PhotoPage() {
  const { photo } = useLoaderData<typeof loader>();
  return <Photo photo={photo} />;
}
