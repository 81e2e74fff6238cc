import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { throwPageFor } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { ModalPage } from '../modals/modal-page';
import { AboutModal } from './about';
import { isAboutTopic } from './about-topics';

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { topic } = params;
  if (!isAboutTopic(topic)) return throwPageFor('request.not_found', context);
  const t = await translatorFor(request, 'common');
  return { topic, title: `${t(`about.${topic}.title`)} · ${t('about.title')}` };
}

export { pageHeaders as headers, titleMeta as meta } from '../../http/page';

export default function AboutPage() {
  const { topic } = useLoaderData<typeof loader>();
  return <ModalPage modal="about" with={{ topic }} body={AboutModal} />;
}
