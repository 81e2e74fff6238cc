interface CodeBlockProps {
  /** Background around it. */
  readonly on: 'ground' | 'well';
  readonly children: string;
}

/**
 * Lines of a terminal, left to right in every language. They wrap, so that nothing has to be scrolled sideways. The
 * language keeps them from breaking between Japanese phrases only.
 */
export function CodeBlock({ on, children }: CodeBlockProps) {
  return (
    <pre
      dir="ltr"
      lang="en"
      className={`rounded-control p-4 text-start text-sm leading-relaxed break-all whitespace-pre-wrap ${on === 'well' ? 'bg-ground' : 'bg-well'}`}
    >
      <code className="font-mono">{children}</code>
    </pre>
  );
}
