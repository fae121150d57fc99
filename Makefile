# Broadsheet. `make help` lists what there is; `make run` and `make test` install what they need.
SHELL      := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
BIN        := bin/broadsheet
GOLANGCI   := v2.15.0
GOFUMPT    := v0.10.0
NPM        := npm --prefix frontend --no-fund --no-audit --loglevel=error
FRONTEND   := $(shell find frontend/src frontend/scripts frontend/apiviewer locales platform/web/openapi.yaml -type f -not -path '*/gen/*' 2>/dev/null) frontend/package-lock.json frontend/vite.config.mjs
# -trimpath: checkouts share what Go has compiled, whatever their folders, and a binary does not name the one it was built in.
export GOFLAGS := -buildvcs=false -trimpath
export CGO_ENABLED ?= 0
# A compiler and a linter that collect garbage less often are done a fifth sooner, and take more memory.
FEW_COLLECTIONS := GOGC=$${GOGC:-400} GOMEMLIMIT=$${GOMEMLIMIT:-4GiB}

# step NAME COMMAND says what is done, and how long it took.
step = @echo "== $(1)"; began=$$SECONDS; $(2); echo "== $(1): $$((SECONDS - began)) s"

.PHONY: help build run reset test test-fast test-dates test-go test-web test-e2e lint lint-go lint-web fmt check gen bench lighthouse tools

help: ## what there is
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: $(BIN) ## the frontend and bin/broadsheet

frontend/node_modules/.installed: frontend/package-lock.json
	@command -v npm >/dev/null || { echo "npm is missing: install Node.js 20 or later" >&2; exit 1; }
	$(call step,packages of the frontend,$(NPM) ci --ignore-scripts)
	@touch $@

frontend/dist/.built: frontend/node_modules/.installed $(FRONTEND)
	$(call step,frontend,$(NPM) run build)
	@touch $@

$(BIN): frontend/dist/.built $(shell find cmd modules platform migrations locales tenants configs -type f 2>/dev/null) go.mod go.sum
	@command -v go >/dev/null || { echo "go is missing: install Go $$(awk '/^go /{print $$2}' go.mod) or later" >&2; exit 1; }
	$(call step,$(BIN) (minutes on a fresh machine),$(FEW_COLLECTIONS) go build -ldflags="-s -w" -o $@ ./cmd/broadsheet)

run: $(BIN) ## everything on embedded parts; prints three addresses
	@exec $(BIN) dev $(ARGS)

reset: $(BIN) ## empty the development data and start over
	@exec $(BIN) dev --reset-only $(ARGS)

test: ## every test: Go, TypeScript, browser
	@.ci/test

# What takes minutes: a year of sales, processes that are killed, parts that fail, and every address as every kind of reader.
SLOW := \
	AChangeReaches.* AFullDisk AGateWhile.* AnEmptiedQueue.* AnErasureSurvives AnOutage.* AnswersAreAsDescribed \
	ARollingRestart.* ARollingUpdateLosesNothing ASilentDatabase.* ASilentLeader.* ASweepThat.* Attacks \
	AWaitForMigrations.* AYear CallsAnswerWithTheirCodes Chaos ErasureLeaves.* FetchedServerWorks .*Killed \
	ManySweepAtOnce MemoryDoesNotGrow.* NoSecretIsLogged NothingIsLost.* NothingLocked.* OperatorsAreTold \
	PreviewsAreShown SamplePages.* ServeHasNoTools SessionsThatTakeLong SeveralProcesses.* SlowSenders.* \
	StartWaits.* .*StayApart StrangersRegister.* TheBriefComesOnce TheDocumentedRestore.* TwoHundredLives \
	WhenPartsFail
# What takes about two seconds or more: a program or a database server of its own, retries, or a clock that runs for months.
NOT_FAST := $(SLOW) \
	ACodeCountsOnceTheSubscriptionRenewsAgain ACodeMovesThePaymentOfAnOldSubscription \
	AComparisonGoesOnWhereItWasInterrupted ADialogueStartsFromADocument ADialogueThatEndsChangesNothing \
	ADiscountIsAnnouncedAsItIsCharged AFailureOfTheProviderDoesNotLastForADay AHostOpensAfterTheSmokeTest \
	AMachineIsLost AMistakeInTheAddressOfABucket AMistypedFolderOfPicturesIsNotMade AnOldSchemaIsNamed \
	AnOutcomeOutlivesAnOutage APurchaseBeginsWhenWhatWasGivenEnds AQueueThatIsBackIsGivenEverything \
	AReaderOfYearsPaysNoFullPriceForTheFirstTime ARefusedLoginIsNotReady AScheduledPostAppears \
	ASeedThatWasStoppedIsCompleted ASilentServerIsToldFromABug ASmokeTestKeepsAnEditionOut AStageTakesNoRealKey \
	AStageWithoutDev AStoppedBackupIsBegunAnew BankCommands BooksOfAYearAddUp BreakingNews BriefsOfThreeEditions \
	BrokenFilesChangeNothing BuyingAgainAfterARefund CallsAreKept CallsAsTheProviderDescribesThem \
	ChangeIsMadeOnce ChangeWhenTheProviderFails ClockDeliversWebhooks CodesAskForWhatTheInvoiceSays \
	CommandsHaveTheClockOfDev CouponCommands DamagedBackupsAreRefused DeadConnectionsHoldNothingUp \
	DevIsOfThisMachine DevTakesWhatIsConfigured DiscussionCommands DiscussionsArePersonal Dispute Doctor \
	DoctorFindsAnotherSecret DocumentsSpeakTheirCountry DunningIsCaughtUp DurableServerSyncsAndKeepsItsData \
	EditionCommands EditionIsMadeInADialogue EphemeralServerLivesAndLeavesNothing EveryEditionHasItsOwnFiles \
	EveryRuleTakesWhatIsTooOld EverythingWorksThroughAPooler Export FailedAddLeavesNothing FaultyWebhooks \
	FeedsAreAskedForOften FeedsFollowTheirStories GiftThatIsPaidBack GuardsKeepTheWholeQuery \
	HalfMadeDatabaseIsMadeAnew ImportSaysHowFarItIs Intake InvitedReader InvoiceCorrect JobsCommands \
	KilledAddIsResumed LinesSayWhatTheyBelongTo LocaleOfTheEnvironment LockedPostsAreNotKept \
	LoginsAndWebhooksAreMeasured LostAnswersAreNotAwaited MigrateTakesOverWhatTheLoginOwned \
	MigrationFailsInOneOfThree NewslettersFollowAReader NightsAreWorked NoticesWakeAnEdition \
	NotReadyWithoutConnectionsOfEditions OldAddresses OnlyForwardedForNamesTheClient \
	OpenStartsAServerWhereNoneRuns OpenUsesARunningServerOrStartsOne OrdinaryUserRunsItAsThemselves \
	OverdueWorkIsDropped Pairs_OneEndOfAccess PartsOfALargeMap PicturesInABucket PicturesOfASync PriceChange \
	PricesAreMadeKnown PromisedReader Promises RedirectsKeepTheQuery Refunds RefundsHaveTheirCreditNotes \
	RenderingKeepsToItsSettings \
	RenewalsAreAnnounced RequestsAndJobsAreTraced ReverseCharge ReviewCommands RootIsDropped S3Faults \
	SearchesAreKept SecondStartIsRefused SentinelNamesAnotherRedis ServerComesBackWhenItDies \
	SessionsThroughAPoolerAreRefused SetStatementTimeout SmokeTest StalePidFilesDoNotStopAStart \
	StatementsInAnyOrderEndEqual SupportCommands SyncKeepsTwoSystemsEqual TablesStayHome TheExampleOfNginxWorks \
	TheStatusPage TrialsWhereTimeIsOdd VideoInTheAddress WhatCanNotBeSavedIsLeft WhatTheProviderSaysToAChange \
	WithdrawalCommands WithoutAQueueWhatReadersAwaitIsDone WordsArePlain WorkNeedsTheKeysOfEditionsThatSell
# Tests by their names, as go test takes them.
empty :=
tests = ^Test($(subst $(empty) $(empty),|,$(strip $(1))))$$
test-fast: frontend/dist/.built ## Go and TypeScript, without the tests that take long; CI runs everything
	.ci/go -parallel 3 -skip '$(call tests,$(NOT_FAST))' ./...
	$(NPM) test -- --silent

# The end of a year and of a February, a leap day, and the days before both changes of the clocks.
DATES ?= 2031-12-31 2032-02-28 2032-02-29 2032-03-27 2032-10-30
test-dates: frontend/dist/.built ## the Go tests of modules and platform, on each of a series of dates
	@for date in $(DATES); do echo "== $$date"; BROADSHEET_TEST_DATE=$$date .ci/go -parallel 3 -skip '$(call tests,$(SLOW))' ./modules/... ./platform/... || exit 1; done

test-go: frontend/dist/.built ## the Go tests alone
	.ci/go -parallel 3 ./...

test-web: frontend/dist/.built ## the TypeScript tests alone
	$(NPM) test

test-e2e: $(BIN) ## the browser's tests alone
	@CHROMIUM=$$(.ci/browser) && export CHROMIUM && cd frontend && npx playwright test $(ARGS)

tools: bin/golangci-lint
bin/golangci-lint:
	GOBIN=$(CURDIR)/bin $(FEW_COLLECTIONS) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI)

lint: ## Go and TypeScript, with the walls between modules
	@$(MAKE) --no-print-directory --jobs=2 --output-sync lint-go lint-web

lint-go: bin/golangci-lint frontend/dist/.built ## Go alone
	$(FEW_COLLECTIONS) bin/golangci-lint run ./...

lint-web: frontend/dist/.built ## TypeScript, styles, words and Markdown alone
	$(NPM) run check

fmt: bin/golangci-lint ## format Go
	bin/golangci-lint fmt ./...

SEEDS     ?= 1 2 3
CHAOS_FOR ?= 2m
CHAOS_AWAY ?= 0
FUZZ_FOR  ?= 10s
SCAN_FOR  ?= 120
RATE      ?= 500
ROUNDS    ?= 3
.PHONY: chaos chaos-long rolling security drill race recipes
chaos: frontend/dist/.built ## kill and starve every part under load (SEEDS="1 2 3", CHAOS_FOR=2m)
	@.ci/chaos $(CHAOS_FOR) $(CHAOS_AWAY) $(SEEDS)

chaos-long: ## the same for half an hour; Redis is away for five minutes of each ten
	@$(MAKE) chaos CHAOS_FOR=10m CHAOS_AWAY=5m

rolling: frontend/dist/.built ## restart two serve behind nginx under load; no request may fail (RATE=500, ROUNDS=3)
	@.ci/rolling $(RATE) 60s $(ROUNDS)

security: $(BIN) ## gosec, govulncheck, npm audit, attacks, fuzzing, sqlmap and wapiti (FUZZ_FOR=10s, SCAN_FOR=120 seconds)
	@.ci/security $(FUZZ_FOR) $(SCAN_FOR)

drill: $(BIN) ## a backup of 5,000 articles and 10,000 readers, the loss of the machine, and the restore (ARTICLES, READERS)
	@.ci/drill $(or $(ARTICLES),5000) $(or $(READERS),10000)

recipes: frontend/dist/.built bin/golangci-lint ## follow docs/recipes.md word by word, each in a clone (RECIPE=a-page)
	@node .ci/recipes.mjs $(RECIPE)

race: frontend/dist/.built ## the Go tests with the race detector (needs a C compiler)
	@command -v cc >/dev/null || { echo "the race detector needs a C compiler (Debian: apt-get install gcc libc6-dev)" >&2; exit 1; }
	CGO_ENABLED=1 .ci/go -race -parallel 3 -timeout 60m -skip '$(call tests,$(SLOW))' ./...

gen: frontend/node_modules/.installed ## generated files
	$(NPM) run gen
	go generate ./...
	.ci/walls

check: lint ## what CI runs: lint, generated files unchanged, every test
	go mod tidy -diff
	$(MAKE) gen
	git diff --exit-code --stat
	$(MAKE) test

bench: $(BIN) ## speed, side by side with nginx and net/http; and the cost of doing nothing
	go test -run '^$$' -bench Kept -benchtime 10s ./cmd/broadsheet/app
	go test -run '^$$' -bench . -skip Kept -benchtime 3s ./cmd/broadsheet/app
	go test -run '^$$' -bench Sweep -benchtime 1x ./modules/billing

lighthouse: $(BIN) ## three pages as Lighthouse sees them on a phone (RUNS=3)
	@.ci/services && CHROMIUM=$$(.ci/browser) && export CHROMIUM && node frontend/scripts/lighthouse.mjs
