import { AppLink, TEXT_LINK } from './app-link';

/** `<name>text</name>` in a message. */
const LINK = /<(\w+)>(.*?)<\/\1>/;

interface LinkedTextProps {
  readonly text: string;
  /** URLs by link name. */
  readonly links: Readonly<Record<string, string>>;
  readonly target?: '_blank';
}

/** i18next's `Trans` would add 2 kB to the script of every page. */
export function LinkedText({ text, links, target }: LinkedTextProps) {
  // Repeats text, link name, link text.
  const parts = text.split(LINK);
  return (
    <>
      {parts.map((part, index) => {
        if (index % 3 === 0) return part;
        if (index % 3 === 1) return null;
        const name = parts[index - 1] ?? '';
        const url = links[name] ?? '/';
        const rest = { target, className: TEXT_LINK };
        return url.startsWith('https://') ? (
          <a key={name} href={url} rel="noreferrer" {...rest}>
            {part}
          </a>
        ) : (
          <AppLink key={name} to={url} {...rest}>
            {part}
          </AppLink>
        );
      })}
    </>
  );
}
