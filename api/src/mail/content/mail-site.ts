/** Where links of messages lead, and who sends them. */
export abstract class MailSite {
  /** Without a slash at the end. */
  abstract readonly publicUrl: string;
  /** Of the sender, in one line; null leaves it out. */
  abstract readonly postalAddress: string | null;
}
