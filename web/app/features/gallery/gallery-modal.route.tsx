import type { MetaFunction } from '@remix-run/node';
import { ModalPage } from '../modals/modal-page';
import { GalleryModal } from './gallery-modal';

export { loadModalGallery as loader } from './gallery.server';

export const meta: MetaFunction = () => [{ title: 'gallery:modal' }, { name: 'robots', content: 'noindex' }];

export default function GalleryModalPage() {
  return <ModalPage modal="gallery:modal" with={{}} body={GalleryModal} />;
}
