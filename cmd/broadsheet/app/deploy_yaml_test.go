package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// composeService is what an example of compose says of one service.
type composeService struct {
	Image       string            `yaml:"image"`
	Build       map[string]string `yaml:"build"`
	Restart     string            `yaml:"restart"`
	StopGrace   string            `yaml:"stop_grace_period"`
	ReadOnly    bool              `yaml:"read_only"`
	CapDrop     []string          `yaml:"cap_drop"`
	SecurityOpt []string          `yaml:"security_opt"`
	Tmpfs       []string          `yaml:"tmpfs"`
	Ulimits     map[string]int    `yaml:"ulimits"`
	Volumes     []string          `yaml:"volumes"`
	Secrets     []string          `yaml:"secrets"`
	Environment map[string]string `yaml:"environment"`
	Command     []string          `yaml:"command"`
	Ports       []string          `yaml:"ports"`
	ShmSize     string            `yaml:"shm_size"`
	DependsOn   any               `yaml:"depends_on"`
	Healthcheck struct {
		Test     []string `yaml:"test"`
		Interval string   `yaml:"interval"`
		Retries  int      `yaml:"retries"`
	} `yaml:"healthcheck"`
}

func TestTheExampleOfComposeIsGood(t *testing.T) {
	t.Parallel()
	var c struct {
		Name     string                    `yaml:"name"`
		Program  composeService            `yaml:"x-program"`
		Services map[string]composeService `yaml:"services"`
		Networks map[string]any            `yaml:"networks"`
		Volumes  map[string]struct{}       `yaml:"volumes"`
		Secrets  map[string]struct {
			File string `yaml:"file"`
		} `yaml:"secrets"`
	}
	decode(t, "compose.yaml", read(t, "configs/compose.yaml"), &c)
	programs := 0
	for name, s := range c.Services {
		for _, secret := range s.Secrets {
			if c.Secrets[secret].File == "" {
				t.Errorf("%s: there is no secret %s", name, secret)
			}
		}
		for _, volume := range s.Volumes {
			from, _, _ := strings.Cut(volume, ":")
			_, named := c.Volumes[from]
			_, err := os.Stat(filepath.Join(root, "configs", from))
			if !named && err != nil && from != "../tls" { // the certificates are the operator's
				t.Errorf("%s: there is no volume or file %s", name, from)
			}
		}
		for setting, value := range s.Environment {
			if file, ok := strings.CutPrefix(value, "/run/secrets/"); ok && !slices.Contains(s.Secrets, file) {
				t.Errorf("%s: %s is in %s, which it is not given", name, setting, file)
			}
		}
		if s.Image != "broadsheet" {
			continue
		}
		programs++
		if err := hasCommand(s.Command); err != nil {
			t.Errorf("%s: %v: %v", name, s.Command, err)
		}
		if !s.ReadOnly || s.StopGrace != "30s" || s.Environment["BROADSHEET_SECRET_FILE"] == "" {
			t.Errorf("%s lacks a part: %+v", name, s)
		}
	}
	if programs != 4 {
		t.Errorf("%d services are of the program, want migrate, two serve and work", programs)
	}
}

// object is what the example of Kubernetes says of one object, whatever its kind.
type object struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Metadata   struct {
		Name      string            `yaml:"name"`
		Namespace string            `yaml:"namespace"`
		Labels    map[string]string `yaml:"labels"`
	} `yaml:"metadata"`
	Data map[string]string `yaml:"data"`
	Spec struct {
		AccessModes  []string                     `yaml:"accessModes"`
		Resources    map[string]map[string]string `yaml:"resources"`
		BackoffLimit int                          `yaml:"backoffLimit"`
		Replicas     int                          `yaml:"replicas"`
		MinAvailable int                          `yaml:"minAvailable"`
		Selector     struct {
			App         string            `yaml:"app"` // of a Service
			MatchLabels map[string]string `yaml:"matchLabels"`
		} `yaml:"selector"`
		Strategy struct {
			RollingUpdate map[string]int `yaml:"rollingUpdate"`
		} `yaml:"strategy"`
		Template struct {
			Metadata struct {
				Labels map[string]string `yaml:"labels"`
			} `yaml:"metadata"`
			Spec pod `yaml:"spec"`
		} `yaml:"template"`
		Ports []map[string]any `yaml:"ports"`
	} `yaml:"spec"`
}

type pod struct {
	SecurityContext struct {
		RunAsNonRoot   bool              `yaml:"runAsNonRoot"`
		RunAsUser      int               `yaml:"runAsUser"`
		RunAsGroup     int               `yaml:"runAsGroup"`
		FSGroup        int               `yaml:"fsGroup"`
		SeccompProfile map[string]string `yaml:"seccompProfile"`
	} `yaml:"securityContext"`
	Automount     bool           `yaml:"automountServiceAccountToken"`
	RestartPolicy string         `yaml:"restartPolicy"`
	Grace         int            `yaml:"terminationGracePeriodSeconds"`
	Spread        []any          `yaml:"topologySpreadConstraints"`
	Containers    []podContainer `yaml:"containers"`
	Volumes       []struct {
		Name   string `yaml:"name"`
		Secret struct {
			SecretName  string `yaml:"secretName"`
			DefaultMode int    `yaml:"defaultMode"`
		} `yaml:"secret"`
		Claim    map[string]string `yaml:"persistentVolumeClaim"`
		EmptyDir map[string]string `yaml:"emptyDir"`
	} `yaml:"volumes"`
}

type podContainer struct {
	Name    string   `yaml:"name"`
	Image   string   `yaml:"image"`
	Args    []string `yaml:"args"`
	EnvFrom []struct {
		ConfigMapRef map[string]string `yaml:"configMapRef"`
	} `yaml:"envFrom"`
	Ports []struct {
		Name          string `yaml:"name"`
		ContainerPort int    `yaml:"containerPort"`
	} `yaml:"ports"`
	Liveness        probeExample                 `yaml:"livenessProbe"`
	Readiness       probeExample                 `yaml:"readinessProbe"`
	Resources       map[string]map[string]string `yaml:"resources"`
	SecurityContext struct {
		Escalation   bool                `yaml:"allowPrivilegeEscalation"`
		ReadOnly     bool                `yaml:"readOnlyRootFilesystem"`
		Capabilities map[string][]string `yaml:"capabilities"`
	} `yaml:"securityContext"`
	VolumeMounts []struct {
		Name      string `yaml:"name"`
		MountPath string `yaml:"mountPath"`
		ReadOnly  bool   `yaml:"readOnly"`
	} `yaml:"volumeMounts"`
}

type probeExample struct {
	HTTPGet struct {
		Path string `yaml:"path"`
		Port string `yaml:"port"`
	} `yaml:"httpGet"`
	Period    int `yaml:"periodSeconds"`
	Timeout   int `yaml:"timeoutSeconds"`
	Threshold int `yaml:"failureThreshold"`
}

func TestTheExampleOfKubernetesIsGood(t *testing.T) {
	t.Parallel()
	kinds := map[string]int{}
	labels := map[string]bool{}
	var budgets []object
	for _, text := range documents(read(t, "configs/kubernetes/broadsheet.yaml")) {
		var o object
		decode(t, "broadsheet.yaml", text, &o)
		kinds[o.Kind]++
		switch o.Kind {
		case "PodDisruptionBudget":
			budgets = append(budgets, o)
		case "Deployment", "Job":
			labels[o.Spec.Template.Metadata.Labels["app"]] = true
			checkPod(t, o)
		}
	}
	for kind, want := range map[string]int{"Deployment": 2, "Job": 1, "PodDisruptionBudget": 2, "Service": 1} {
		if kinds[kind] != want {
			t.Errorf("%d of %s, want %d", kinds[kind], kind, want)
		}
	}
	for _, b := range budgets {
		if !labels[b.Spec.Selector.MatchLabels["app"]] || b.Spec.MinAvailable != 1 {
			t.Errorf("%+v", b)
		}
	}
}

// checkPod looks at what runs the program: not as root, in a file system of which it can write its pictures alone,
// asked on the operators' listener.
func checkPod(t *testing.T, o object) {
	t.Helper()
	name, p := o.Metadata.Name, o.Spec.Template.Spec
	if len(p.Containers) != 1 {
		t.Fatalf("%s: %d containers", name, len(p.Containers))
	}
	c := p.Containers[0]
	if err := hasCommand(c.Args); err != nil {
		t.Errorf("%s: %v: %v", name, c.Args, err)
	}
	if !p.SecurityContext.RunAsNonRoot || p.SecurityContext.RunAsUser != 65532 || c.SecurityContext.Escalation ||
		!c.SecurityContext.ReadOnly || !slices.Equal(c.SecurityContext.Capabilities["drop"], []string{"ALL"}) {
		t.Errorf("%s may do too much", name)
	}
	for _, m := range c.VolumeMounts {
		found := false
		for _, v := range p.Volumes {
			found = found || v.Name == m.Name
		}
		if !found {
			t.Errorf("%s: there is no volume %s", name, m.Name)
		}
	}
	if o.Kind == "Job" {
		return
	}
	admin := 0
	for _, port := range c.Ports {
		if port.Name == "admin" {
			admin = port.ContainerPort
		}
	}
	if admin != 9090 || c.Liveness.HTTPGet.Path != "/livez" || c.Readiness.HTTPGet.Path != "/readyz" ||
		c.Liveness.HTTPGet.Port != "admin" || c.Readiness.HTTPGet.Port != "admin" || p.Grace < 30 || o.Spec.Replicas < 2 {
		t.Errorf("%s: probes, time to end or number: %+v", name, c)
	}
	if selector := o.Spec.Selector.MatchLabels["app"]; selector != o.Spec.Template.Metadata.Labels["app"] {
		t.Errorf("%s selects %q", name, selector)
	}
}
