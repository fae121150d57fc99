for (const part of ['pages', 'messages', 'intl', 'fonts', 'api']) await import(`./gen-${part}.mjs`)
