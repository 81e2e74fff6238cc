import type { MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { Gallery } from '../features/gallery/gallery';
import { loadGallery, type submitGallery } from '../features/gallery/gallery.server';
import { TEXTS } from '../features/gallery/variants';

export { submitGallery as action } from '../features/gallery/gallery.server';
export { pageHeaders as headers } from '../http/page-headers';
export const loader = loadGallery;

export const meta: MetaFunction = () => [{ title: TEXTS.title }, { name: 'robots', content: 'noindex' }];

export default function GalleryPage() {
  const { flash, variants } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof submitGallery>();
  return <Gallery variants={variants} flash={flash} received={answer?.received ?? null} />;
}
