import ArrowLeft from 'lucide-react/icons/arrow-left';
import Download from 'lucide-react/icons/download';
import Trash2 from 'lucide-react/icons/trash';
import { useTranslation } from 'react-i18next';
import { ModalLead, ModalTitle } from '../../../ui/modal/modal-frame';
import { AppLink } from '../../../ui/page/app-link';
import { ModalLink } from '../../modals/modal-link';
import type { PanelProps } from './panel';
import { Group, ROW, RowContents } from './rows';
import { SectionLink } from './section-link';

/** Consents, data export and erasure. */
export function PrivacyPanel({ account, modal }: PanelProps) {
  const { t } = useTranslation('account');
  const { member, privacy } = account;
  return (
    <>
      <SectionLink
        modal={modal}
        to="general"
        className="link-quiet -my-2 flex min-h-11 items-center gap-2 self-start text-sm text-muted"
      >
        <ArrowLeft aria-hidden className="size-4 rtl:-scale-x-100" />
        {t('general.title')}
      </SectionLink>
      <ModalTitle>{t('privacy.title')}</ModalTitle>
      {!member && (
        <ModalLead>
          <p>{t('privacy.guestLead')}</p>
        </ModalLead>
      )}
      {privacy && (
        <Group title={t('privacy.consents')}>
          <Consent title={t('privacy.marketing')} isGiven={privacy.marketingConsent} />
          {privacy.imageTrainingConsent !== null && (
            <Consent title={t('privacy.imageTraining')} isGiven={privacy.imageTrainingConsent} />
          )}
        </Group>
      )}
      <Group title={t('privacy.data')}>
        <AppLink to="/account/export" reloadDocument className={ROW}>
          <RowContents icon={Download}>
            {t('privacy.export.title')}
            <SmallText>{t('privacy.export.body')}</SmallText>
          </RowContents>
        </AppLink>
        <ModalLink modal="account:erase" with={{ erasure: account.erasure }} className={ROW}>
          <RowContents icon={Trash2}>
            {member ? t('privacy.erase.title') : t('privacy.erase.guestTitle')}
            <SmallText>{t('privacy.erase.body')}</SmallText>
          </RowContents>
        </ModalLink>
      </Group>
    </>
  );
}

const SmallText = ({ children }: { readonly children: string }) => (
  <span className="block text-sm font-normal text-pretty text-muted">{children}</span>
);

function Consent({ title, isGiven }: { readonly title: string; readonly isGiven: boolean }) {
  const { t } = useTranslation('account');
  return (
    <p className="flex min-h-11 items-center justify-between gap-4 px-3 py-1.5">
      <span className="min-w-0 text-pretty">{title}</span>
      <span
        className={`shrink-0 rounded-full px-3 py-1 text-sm ${isGiven ? 'bg-accent-soft text-accent-ink' : 'bg-quiet text-muted'}`}
      >
        {isGiven ? t('privacy.allowed') : t('privacy.notAllowed')}
      </span>
    </p>
  );
}
