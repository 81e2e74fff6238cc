import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { ModalGallery } from '../features/gallery/modal-gallery';
import { throwPageFor } from '../http/problem.server';

export function loader({ context }: LoaderFunctionArgs) {
  return context.settings.environment === 'local' ? null : throwPageFor('request.not_found', context);
}

export const meta: MetaFunction = () => [{ title: 'useModals()' }, { name: 'robots', content: 'noindex' }];

export default function ModalGalleryPage() {
  return <ModalGallery />;
}
