import { LinkedText } from '../../ui/page/linked-text';

const LINKS = { privacy: '/privacy-and-cookie-policy#photos' };

export function BiometricNotice({ text }: { readonly text: string }) {
  return (
    <p className="px-2 text-sm text-pretty text-muted">
      <LinkedText text={text} links={LINKS} />
    </p>
  );
}
