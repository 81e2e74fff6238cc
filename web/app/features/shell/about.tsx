import { useTranslation } from 'react-i18next';
import { ModalLead, ModalTitle } from '../../ui/modal/modal-frame';
import { ModalTabs } from '../../ui/modal/modal-tabs';
import { useDocument } from '../../ui/page/document-data';
import type { ModalBodyProps } from '../modals/catalogue';
import { GotIt } from '../modals/got-it';
import { ABOUT_TOPICS, type AboutTopic } from './about-topics';

const PARAGRAPHS = {
  photo: ['about.photo.kept', 'about.photo.seen', 'about.photo.place'],
  result: ['about.result.guess', 'about.result.compare'],
  files: ['about.files.formats', 'about.files.size'],
} as const satisfies Record<AboutTopic, readonly string[]>;

export function AboutModal({ topic, modal }: ModalBodyProps<'about'>) {
  const { t } = useTranslation();
  const { limits } = useDocument();
  return (
    <ModalTabs
      label={t('about.sections')}
      tabs={ABOUT_TOPICS.map((key) => ({
        key,
        label: t(`about.${key}.tab`),
        address: modal.addressOf({ topic: key }),
      }))}
      selected={topic}
      onSelect={(next) => modal.change({ topic: next })}
    >
      <ModalTitle>{t(`about.${topic}.title`)}</ModalTitle>
      <ModalLead>
        {PARAGRAPHS[topic].map((key) => (
          <p key={key}>{t(key, { ...limits })}</p>
        ))}
      </ModalLead>
      <GotIt onChoose={() => void modal.close('gotIt')} />
    </ModalTabs>
  );
}
