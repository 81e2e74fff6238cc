import { useLocation } from '@remix-run/react';
import UserRound from 'lucide-react/icons/user-round';
import { useTranslation } from 'react-i18next';
import { preserveVersionParam } from '../../http/internal-address';
import { Button, buttonClass } from '../../ui/controls/button';
import { ModalLead } from '../../ui/modal/modal-frame';
import { ModalLink } from '../modals/modal-link';
import type { AccountView } from './account-view.server';

export function ProfileCard({ member }: { readonly member: AccountView['member'] }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3.5">
      <span className="grid size-14 shrink-0 place-items-center rounded-full bg-accent-soft text-xl font-semibold text-accent-ink">
        {member?.email ? (
          <span aria-hidden>{[...member.email][0]?.toUpperCase()}</span>
        ) : (
          <UserRound aria-hidden className="size-6" />
        )}
      </span>
      {member ? <Member member={member} /> : <Guest />}
    </div>
  );
}

function Member({ member: { email, provider, since } }: { readonly member: NonNullable<AccountView['member']> }) {
  const { t } = useTranslation('account');
  const { search } = useLocation();
  return (
    <>
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium break-words">{email ? <bdi>{email}</bdi> : t('general.noEmail')}</p>
        <ModalLead>
          <p className="flex flex-col text-sm">
            {provider ? t(`general.signedInWith.${provider}`) : t('general.signedIn')}
            <time dateTime={since.iso}>{t('general.since', { date: since.text })}</time>
          </p>
        </ModalLead>
      </div>
      <form method="post" action={preserveVersionParam('/logout', search)}>
        <Button kind="quiet" size="small" type="submit">
          {t('general.logOut')}
        </Button>
      </form>
    </>
  );
}

function Guest() {
  const { t } = useTranslation('account');
  return (
    <>
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium">{t('general.guest.title')}</p>
        <ModalLead>
          <p className="text-sm">{t('general.guest.body')}</p>
        </ModalLead>
      </div>
      <ModalLink modal="user:login" with={{ problem: null }} className={buttonClass('primary', 'small')}>
        {t('general.guest.logIn')}
      </ModalLink>
    </>
  );
}
