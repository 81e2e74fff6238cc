import type { MetaFunction } from '@remix-run/node';
import { GalleryModal } from '../features/gallery/gallery-modal';
import { ModalPage } from '../features/modals/modal-page';

export { loader } from './ui_.modals._index';

export const meta: MetaFunction = () => [{ title: 'gallery:modal' }, { name: 'robots', content: 'noindex' }];

export default function GalleryModalPage() {
  return <ModalPage modal="gallery:modal" with={{}} body={GalleryModal} />;
}
