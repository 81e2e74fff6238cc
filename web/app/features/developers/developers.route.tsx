import { useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { accountAddress } from '../../session/account-tabs';
import { CodeBlock } from '../../ui/content/code-block';
import { buttonClass } from '../../ui/controls/button';
import { AppLink, TEXT_LINK } from '../../ui/page/app-link';
import { useDocument } from '../../ui/page/document-data';
import { ModalLink } from '../modals/modal-link';
import { commandLines, enhanceExample, KEY_ARGUMENT, pollExample } from '../plugin-keys/enhance-example';
import { type KeyAccess, loadDevelopers } from './developers.server';

export const handle = { i18n: ['support'] };
export const loader = loadDevelopers;
export { privateHeaders as headers, titleMeta as meta } from '../../http/page';

/** Gets the task at once. @param api base URL of the API's routes */
const startExample = (api: string): string =>
  commandLines(`curl -i ${KEY_ARGUMENT}`, '-F file=@photo.jpg', `${api}/enhance`);

/** Creates a video, sends its file and starts it. */
const videoExamples = (api: string): readonly string[] => [
  commandLines(
    `curl ${KEY_ARGUMENT}`,
    "-H 'Content-Type: application/json'",
    `-d '{"video_content_type": "video/mp4", "video_metadata": {"size": 12000000}, "ai_pipeline": {"face_enhance": {"model": "base"}, "background_enhance": {"model": "base"}, "color_enhance": {"model": "golden"}}}'`,
    `${api}/video-tasks`,
  ),
  commandLines("curl -T video.mp4 -H 'UPLOAD_HEADER: VALUE'", 'UPLOAD_URL'),
  commandLines(`curl -X POST ${KEY_ARGUMENT}`, `${api}/video-tasks/VIDEO_TASK_ID/process`),
  pollExample(`${api}/video-tasks/VIDEO_TASK_ID`),
];

/** Binds the key to a device. */
const activateExample = (api: string): string =>
  commandLines(
    `curl ${KEY_ARGUMENT}`,
    "-H 'Content-Type: application/json'",
    `-d '{"device_id": "studio-1"}'`,
    `${api}/plugin-keys/activate`,
  );

export default function DevelopersPage() {
  const { t } = useTranslation(['support', 'common']);
  const { access, apiUrl, errors, keyLimit } = useLoaderData<typeof loadDevelopers>();
  const { limits } = useDocument();
  return (
    <article className="mx-auto flex w-full max-w-3xl flex-1 flex-col gap-10 px-5 py-10 sm:px-8 sm:py-16">
      <header className="flex flex-col gap-4">
        <h1 className="text-display-sm wrap-break-word hyphens-auto">{t('developers.title')}</h1>
        <p className="text-lg text-pretty text-muted sm:text-xl">{t('developers.lead')}</p>
      </header>
      <Section title={t('developers.key.title')} body={t('developers.key.body')}>
        <KeyLink access={access} />
      </Section>
      <Section title={t('developers.enhance.title')} body={t('developers.enhance.body')}>
        <CodeBlock on="ground">{enhanceExample(apiUrl)}</CodeBlock>
      </Section>
      <Section title={t('developers.wait.title')} body={t('developers.wait.body')}>
        <CodeBlock on="ground">{startExample(apiUrl)}</CodeBlock>
        <CodeBlock on="ground">{pollExample(`${apiUrl}/tasks/TASK_ID`)}</CodeBlock>
      </Section>
      <Section title={t('developers.video.title')} body={t('developers.video.body')}>
        {videoExamples(apiUrl).map((example) => (
          <CodeBlock key={example} on="ground">
            {example}
          </CodeBlock>
        ))}
      </Section>
      <Section title={t('developers.device.title')} body={t('developers.device.body')}>
        <CodeBlock on="ground">{activateExample(apiUrl)}</CodeBlock>
      </Section>
      <Section title={t('developers.errors.title')} body={t('developers.errors.body')}>
        <dl className="flex flex-col gap-3">
          {errors.map(({ code, status }) => (
            <div key={code} className="flex flex-col gap-1 rounded-control bg-well px-4 py-3">
              <dt className="font-mono text-sm wrap-anywhere">
                <bdi>{`${status} ${code}`}</bdi>
              </dt>
              <dd className="text-pretty text-muted">
                {code === 'users.not_authorized' ? t('developers.errors.key') : t(`common:errors.${code}`)}
              </dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title={t('developers.limits.title')}>
        <ul className="list-disc space-y-1 ps-5 text-pretty text-muted">
          <li>{t('common:about.files.formats', { ...limits })}</li>
          <li>{t('developers.limits.keys', { count: keyLimit })}</li>
          <li>{t('developers.limits.rate')}</li>
        </ul>
      </Section>
      <Section title={t('developers.reference.title')}>
        <ul className="flex flex-wrap gap-x-6 gap-y-2">
          <li>
            <a href="/api/docs" className={TEXT_LINK}>
              {t('developers.reference.docs')}
            </a>
          </li>
          <li>
            <a href="/api/openapi.json" className={TEXT_LINK}>
              {t('developers.reference.openapi')}
            </a>
          </li>
        </ul>
      </Section>
    </article>
  );
}

interface SectionProps {
  readonly title: string;
  readonly body?: string;
  readonly children: ReactNode;
}

const Section = ({ title, body, children }: SectionProps) => (
  <section className="flex flex-col gap-3">
    <h2 className="text-title wrap-break-word hyphens-auto">{title}</h2>
    {body && <p className="text-pretty text-muted">{body}</p>}
    {children}
  </section>
);

function KeyLink({ access }: { readonly access: KeyAccess }) {
  const { t } = useTranslation('support');
  const className = `self-start ${buttonClass('primary')}`;
  if (access === 'off') return <p>{t('developers.key.off')}</p>;
  if (access === 'create') {
    return (
      <ModalLink modal="user:account" with={{ tab: 'pluginKey' }} className={className}>
        {t('developers.key.create')}
      </ModalLink>
    );
  }
  const [reason, label, to] =
    access === 'plan'
      ? [t('developers.key.plan'), t('developers.key.plans'), '/upgrade']
      : [t('developers.key.unpaid'), t('developers.key.pay'), accountAddress('subscription')];
  return (
    <>
      <p>{reason}</p>
      <AppLink to={to} className={className}>
        {label}
      </AppLink>
    </>
  );
}
