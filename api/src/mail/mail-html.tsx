import { directionOf, type Locale, languageTagOf } from '@clearframe/contract';
import { Body } from '@react-email/body';
import { Button } from '@react-email/button';
import { Column } from '@react-email/column';
import { Container } from '@react-email/container';
import { Head } from '@react-email/head';
import { Heading } from '@react-email/heading';
import { Html } from '@react-email/html';
import { Link } from '@react-email/link';
import { Preview } from '@react-email/preview';
import { Row } from '@react-email/row';
import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import type { CSSProperties } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Block, MailContent } from './mail-content.js';

const FONT = '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif';

/** The interface's colors (web/app/styles/tokens.css) in hex: mail clients don't read `oklch`. */
const INK = '#14171d';
const MUTED = '#565d6b';
const LINE = '#dfe3ea';
const ACCENT = '#2457e6';

/** Light; inline, because some clients drop style sheets. */
const styles = {
  ground: { backgroundColor: '#f4f6f9', color: INK, fontFamily: FONT, padding: '24px 12px 32px' },
  page: { maxWidth: '560px' },
  brand: { width: 'auto', marginBottom: '20px' },
  icon: { width: '42px' },
  image: { display: 'block', borderRadius: '8px', border: 0 },
  name: { color: INK, fontSize: '18px', fontWeight: 600, letterSpacing: '-0.02em', textDecoration: 'none' },
  card: {
    backgroundColor: '#ffffff',
    border: `1px solid ${LINE}`,
    borderRadius: '16px',
    borderCollapse: 'separate',
    padding: '32px 28px',
  },
  heading: { margin: 0, fontSize: '22px', lineHeight: '30px', fontWeight: 650, textWrap: 'balance' },
  figure: { margin: '12px 0 0', fontSize: '36px', lineHeight: '44px', fontWeight: 650 },
  paragraph: { margin: '16px 0 0', fontSize: '16px', lineHeight: '25px' },
  well: { margin: '20px 0 0', padding: '16px 18px', backgroundColor: '#f1f3f7', borderRadius: '12px' },
  codeLabel: { margin: 0, color: MUTED, fontSize: '13px', lineHeight: '18px' },
  code: {
    margin: '4px 0 0',
    fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
    fontSize: '18px',
    lineHeight: '26px',
    fontWeight: 600,
    wordBreak: 'break-all',
  },
  action: { margin: '24px 0 0' },
  button: {
    backgroundColor: ACCENT,
    color: '#ffffff',
    borderRadius: '12px',
    fontSize: '16px',
    fontWeight: 600,
    padding: '14px 22px',
    textAlign: 'center',
  },
  link: { color: ACCENT, textDecoration: 'underline' },
  rows: { margin: '20px 0 0', borderCollapse: 'collapse' },
  label: {
    padding: '11px 0',
    borderTop: `1px solid ${LINE}`,
    color: MUTED,
    fontSize: '15px',
    lineHeight: '21px',
    fontWeight: 400,
    verticalAlign: 'top',
    whiteSpace: 'nowrap',
  },
  value: {
    padding: '11px 0',
    borderTop: `1px solid ${LINE}`,
    fontSize: '15px',
    lineHeight: '21px',
    fontWeight: 500,
    verticalAlign: 'top',
    // Japanese breaks between any two characters otherwise.
    wordBreak: 'keep-all',
    overflowWrap: 'anywhere',
  },
  footer: { margin: '20px 0 0' },
  small: { margin: '0 0 8px', color: MUTED, fontSize: '13px', lineHeight: '19px' },
  quietLink: { color: MUTED, textDecoration: 'underline' },
} as const satisfies Readonly<Record<string, CSSProperties>>;

/** Overrides for clients with a dark theme that respect it. */
const DARK = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.ground,.ground td{background-color:#0e1015!important;color:#f1f3f6!important}
.card,.card td,.card th{background-color:#191c23!important;border-color:#2d323d!important}
.well,.well td{background-color:#23272f!important}
.ink{color:#f1f3f6!important}
.muted{color:#a6adba!important}
.line{border-color:#2d323d!important}
.button{background-color:#3f66ee!important;color:#ffffff!important}
.link{color:#9db5ff!important}
}`;

const ICON_SIZE = 32;

const Brand = ({ publicUrl }: { readonly publicUrl: string }) => (
  <Row style={styles.brand} width={undefined} align={undefined}>
    <Column style={styles.icon}>
      <img src={`${publicUrl}/icon-192.png`} width={ICON_SIZE} height={ICON_SIZE} alt="" style={styles.image} />
    </Column>
    <Column>
      <Link href={publicUrl} className="ink" style={styles.name}>
        Clearframe
      </Link>
    </Column>
  </Row>
);

interface RowsProps extends Pick<Extract<Block, { type: 'rows' }>, 'rows'> {
  readonly locale: Locale;
}

/** A real table, with row headers for screen readers. Mail clients don't know logical sides. */
function Rows({ rows, locale }: RowsProps) {
  const isRtl = directionOf(locale) === 'rtl';
  const [start, end] = isRtl ? (['right', 'left'] as const) : (['left', 'right'] as const);
  const gap = isRtl ? { paddingRight: '16px' } : { paddingLeft: '16px' };
  return (
    <table width="100%" cellPadding="0" cellSpacing="0" style={styles.rows}>
      <tbody>
        {rows.map(({ label, value }) => (
          <tr key={label}>
            <th scope="row" align={start} className="muted line" style={{ ...styles.label, textAlign: start }}>
              {label}
            </th>
            <td align={end} className="line" style={{ ...styles.value, ...gap, textAlign: end }}>
              <bdi>{value}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function MailBlock({ block, locale }: { readonly block: Block; readonly locale: Locale }) {
  switch (block.type) {
    case 'paragraph':
      return <Text style={styles.paragraph}>{block.text}</Text>;
    case 'code':
      return (
        <Section className="well" style={styles.well}>
          <Text className="muted" style={styles.codeLabel}>
            {block.label}
          </Text>
          <Text dir="ltr" style={styles.code}>
            {block.code}
          </Text>
        </Section>
      );
    case 'button':
      return (
        <Section style={styles.action}>
          <Button href={block.url} className="button" style={styles.button}>
            {block.label}
          </Button>
        </Section>
      );
    case 'link':
      return (
        <Text style={styles.paragraph}>
          <Link href={block.url} className="link" style={styles.link}>
            {block.label}
          </Link>
        </Text>
      );
    case 'rows':
      return <Rows rows={block.rows} locale={locale} />;
  }
}

const Footer = ({ reason, help, postalAddress }: MailContent['footer']) => (
  <Section style={styles.footer}>
    <Text className="muted" style={styles.small}>
      {reason}
    </Text>
    <Text className="muted" style={styles.small}>
      {help.before}
      <Link href={help.url} className="muted" style={styles.quietLink}>
        {help.label}
      </Link>
      {help.after}
    </Text>
    {postalAddress && (
      <Text className="muted" style={styles.small}>
        <bdi>{postalAddress}</bdi>
      </Text>
    )}
  </Section>
);

function Mail({ content, publicUrl }: { readonly content: MailContent; readonly publicUrl: string }) {
  const { locale, subject, figure, blocks, footer } = content;
  const preview = blocks.find((block) => block.type === 'paragraph');
  return (
    <Html lang={languageTagOf(locale)} dir={directionOf(locale)}>
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{DARK}</style>
      </Head>
      <Body className="ground" style={styles.ground} dir={directionOf(locale)}>
        {preview?.type === 'paragraph' && <Preview>{preview.text}</Preview>}
        <Container style={styles.page}>
          <Brand publicUrl={publicUrl} />
          <Section className="card" style={styles.card}>
            <Heading as="h1" style={styles.heading}>
              {subject}
            </Heading>
            {figure !== null && (
              <Text style={styles.figure}>
                <bdi>{figure}</bdi>
              </Text>
            )}
            {blocks.map((block) => (
              <MailBlock key={JSON.stringify(block)} block={block} locale={locale} />
            ))}
          </Section>
          <Footer {...footer} />
        </Container>
      </Body>
    </Html>
  );
}

export const htmlOf = (content: MailContent, publicUrl: string): string =>
  `<!doctype html>${renderToStaticMarkup(<Mail content={content} publicUrl={publicUrl} />)}`;
