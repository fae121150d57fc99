const apps: [RegExp, string][] = [
  [/FBAN|FBAV|FB_IAB/, 'Facebook'],
  [/Instagram/, 'Instagram'],
  [/Twitter/, 'X'],
  [/LinkedInApp/, 'LinkedIn'],
  [/WhatsApp/, 'WhatsApp'],
  [/Telegram/, 'Telegram'],
]

/** The app in whose built-in browser a page is open, by its user agent; null in a browser of its own. */
export const inAppBrowser = (userAgent: string): string | null => apps.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null
