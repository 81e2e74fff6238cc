import type { MetaFunction } from '@remix-run/node';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/controls/button';
import type { ModalId, ModalProps } from '../modals/catalogue';
import { useModals } from '../modals/modals';

export { loadModalGallery as loader } from './gallery.server';

export const meta: MetaFunction = () => [{ title: 'useModals()' }, { name: 'robots', content: 'noindex' }];

export default function ModalGalleryPage() {
  const { t } = useTranslation();
  const { open } = useModals();
  const [outcome, setOutcome] = useState('');

  const opener = <Id extends ModalId>(id: Id, props: ModalProps<Id>) => (
    <Button key={id} kind="quiet" onClick={async () => setOutcome(`${id}: ${await open(id, props)}`)}>
      <code>{`open('${id}')`}</code>
    </Button>
  );

  return (
    <section className="mx-auto flex w-full max-w-3xl flex-1 flex-col gap-6 px-5 py-10 sm:px-8">
      <h1 className="text-display-sm">{t('name')}</h1>
      <div className="flex flex-wrap gap-3">
        {opener('gallery:modal', {})}
        {opener('gallery:modal[prevent-pop]', {})}
        {opener('about', { topic: 'photo' })}
        {opener('upload:error', { reason: 'too_many_files', left: 1 })}
        {opener('language', {})}
      </div>
      <output className="font-mono text-sm">{outcome}</output>
    </section>
  );
}
